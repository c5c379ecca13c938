// Lines for the operator at the terminal; what must not be logged, such as a generated password, goes here.

/** Writes the lines as one block. Resolves when the terminal or pipe has accepted them. @throws if the pipe is closed */
export function showOperator(lines: readonly string[]): Promise<void> {
  const text = `\n${lines.map((line) => `  ${line}\n`).join('')}\n`
  return new Promise((resolve, reject) => {
    // Behind the log lines of this turn of the event loop.
    setImmediate(() => process.stdout.write(text, (error) => (error ? reject(error) : resolve())))
  })
}
