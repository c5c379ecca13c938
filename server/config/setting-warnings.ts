// Unsafe combinations of settings.

interface Values {
  readonly NODE_ENV?: string | undefined
  readonly DATABASE_URL?: string | undefined
  readonly SECRET_KEY?: Buffer | undefined
  readonly SERVER_SECRET?: string | undefined
  readonly BACKUP_DATABASE_URL?: string | undefined
  readonly SMTP_TLS: string
}

/** What an operator should change. */
export function warningsOf(values: Values, facts: { publicOrigin: string | undefined; hasBackups: boolean }): string[] {
  const isProduction = values.NODE_ENV === 'production'
  const found: readonly (readonly [boolean, string])[] = [
    [
      isProduction && facts.publicOrigin?.startsWith('https:') !== true,
      'PUBLIC_URL is not an https address: session cookies and passwords can be read on the way',
    ],
    [
      isProduction && values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined,
      'SECRET_KEY is not set: another server or a new DATA_DIR cannot read what this one has encrypted',
    ],
    [values.SERVER_SECRET !== undefined, 'SERVER_SECRET is deprecated: set SECRET_KEY instead, which makes all keys'],
    [
      facts.hasBackups && values.DATABASE_URL !== undefined && values.BACKUP_DATABASE_URL === undefined,
      'BACKUP_DIR has no effect with DATABASE_URL without BACKUP_DATABASE_URL',
    ],
    [isProduction && values.SMTP_TLS === 'optional', 'SMTP_TLS is optional: password links can be read on the way'],
  ]
  return found.flatMap(([applies, warning]) => (applies ? [warning] : []))
}
