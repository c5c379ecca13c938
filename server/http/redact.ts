// Keeps secrets that travel in addresses out of logs.

/** The text without UDF keys, also mistyped, encoded or cut ones: what follows their beginning or `/udf/k/` goes. */
export function redactUdfKeys(text: string): string {
  return text
    .replace(/(tezi(?:_|%5f)udf(?:_|%5f))[^\s/?#"'\\]*/gi, '$1[redacted]')
    .replace(/(\/udf\/+k\/+)(?!:key\b)[^\s/?#"'\\]+/gi, '$1[redacted]')
}
