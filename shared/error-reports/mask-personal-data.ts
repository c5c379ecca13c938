// Removes personal data from the texts of an error report; applied by both browser and server.

/** Order matters: a query string is removed before its parts are matched. Chunk names and `:line:column` are kept. */
const rules: readonly (readonly [RegExp, string])[] = [
  // Query strings and fragments, up to the position appended by a stack frame.
  [/(?<=[\w/.-])\?[^\s)"']*?(?=:\d+(?::\d+)?(?:[\s)]|$)|[\s)"']|$)/g, '?[query]'],
  [/(?<=[\w/])#[^\s)"']*?(?=:\d+(?::\d+)?(?:[\s)]|$)|[\s)"']|$)/g, '#[fragment]'],
  [/\b(bearer\s+|(?:session-token|token|password|secret|authorization|cookie)["']?\s*[=:]\s*["']?)[^\s"',;)}]+/gi, '$1[secret]'],
  // Emails and UPI addresses, but not the `function@https://...` of a stack frame.
  [
    /(?<![\p{L}\p{M}\p{N}._%+-])[\p{L}\p{M}\p{N}._%+-]+@(?!(?:https?|file|blob|webpack-internal):)[\p{L}\p{N}-][\p{L}\p{M}\p{N}.-]*/gu,
    '[email]',
  ],
  // Session tokens, transaction hashes, UUIDs; hashed chunk names end with their extension.
  [/(?<![\w-])(?=[\w-]*\d)[\w-]{24,}(?![\w-]|\.(?:[cm]?[jt]sx?|css)\b)/g, '[token]'],
  // Phone and account numbers, UTRs, cards; eight digits or more with single separators.
  [/\p{Nd}(?:[ -]?\p{Nd}){7,}/gu, '[number]'],
]

/** The text without emails, tokens, secrets, long numbers, query strings and fragments. Idempotent. */
export function maskPersonalData(text: string): string {
  return rules.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}
