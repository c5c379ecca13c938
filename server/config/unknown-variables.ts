// Misspelt settings: unknown variables that look like one of ours.

/** Variables of other programs that look like ours: Node's own, those that Kubernetes sets for each service, a proxy for http. */
const foreign = /^NODE_|_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)|^http_proxy$/i

/**
 * One line for each unknown variable that either has a known prefix (`SMTP_`) or is at most two edits
 * away from a known one; one edit for names of less than eight letters, because HOME is two from HOST. Values are not repeated.
 */
export function unknownVariables(names: readonly string[], known: readonly string[]): string[] {
  const prefixes = new Set(known.flatMap((name) => /^[A-Z0-9]+_/.exec(name)?.[0] ?? []))
  return names
    .filter((name) => !known.includes(name) && /^\w{2,80}$/.test(name) && !foreign.test(name))
    .flatMap((name) => {
      const upper = name.toUpperCase()
      const close = known.find((other) => editDistance(upper, other) <= (other.length < 8 ? 1 : 2))
      if (close !== undefined) return [`${name} is not a setting of Tezi and has no effect. Did you mean ${close}?`]
      return [...prefixes].some((prefix) => upper.startsWith(prefix)) ? [`${name} is not a setting of Tezi and has no effect`] : []
    })
    .toSorted()
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = next
  }
  return last[to.length] ?? 0
}
