// Keeps secrets in URLs out of logs.

/** The text without UDF keys, even mistyped, encoded or truncated ones: removes what follows their prefix or `/udf/k/`. */
export function redactUdfKeys(text: string): string {
  return text
    .replace(/(tezi(?:_|%5f)udf(?:_|%5f))[^\s/?#"'\\]*/gi, '$1[redacted]')
    .replace(/(\/udf\/+k\/+)(?!:key\b)[^\s/?#"'\\]+/gi, '$1[redacted]')
}
