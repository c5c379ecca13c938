// Lines for the operator at the terminal; what may not go into the log, such as a generated password, goes here.

/** Writes the lines as one block. Resolves when the terminal or pipe has taken them. @throws when nobody reads them any more. */
export function showOperator(lines: readonly string[]): Promise<void> {
  const text = `\n${lines.map((line) => `  ${line}\n`).join('')}\n`
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
