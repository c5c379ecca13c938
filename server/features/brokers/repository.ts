// The SQL of broker connections.
import { sql, type Selectable } from 'kysely'
import type { BrokerName } from '#shared/brokers/contract.ts'
import { batchReader } from '#server/db/batch-reader.ts'
import type { Db } from '#server/db/database.ts'
import type { Tables } from '#server/db/tables.ts'

export type ConnectionRow = Selectable<Tables['broker_connections']>

export interface NewConnection {
  readonly broker: BrokerName
  readonly secret: Buffer
  readonly address: string | null
  /** Null while the login is not finished. */
  readonly sessionAt: Date | null
}

export interface NewLogin {
  readonly hash: Buffer
  readonly sessionId: string
  readonly expiresAt: Date
}

/** Reads connections by user; batched, because sockets request many at once. */
export function connectionReader(db: Db): (userId: string) => Promise<ConnectionRow | undefined> {
  return batchReader(async (ids) => {
    const rows = await db.selectFrom('broker_connections').selectAll().where('user_id', 'in', ids).execute()
    return new Map(rows.map((row) => [row.user_id, row]))
  })
}

/** Queries on one database or transaction; all times come from the caller. */
export function brokerRepository(db: Db) {
  const newVersion = sql<string>`gen_random_uuid()`
  const noLogin = { login_hash: null, login_session: null, login_expires_at: null }
  return {
    find: (userId: string) => db.selectFrom('broker_connections').selectAll().where('user_id', '=', userId).executeTakeFirst(),

    /** Stores a connection unless an accepted one exists; returns whether it was stored. */
    async put(userId: string, { broker, secret, address, sessionAt }: NewConnection, at: Date): Promise<boolean> {
      const values = { broker, secret, address, created_at: at, session_at: sessionAt, expires_at: null, refused_at: null, ...noLogin }
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('broker_connections')
        .values({ user_id: userId, ...values })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ ...values, version: newVersion })
            .where('broker_connections.session_at', 'is', null),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    /** Starts a login and cancels a pending one. Returns false if there is no Kite connection. */
    async beginLogin(userId: string, { hash, sessionId, expiresAt }: NewLogin): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('broker_connections')
        .set({ login_hash: hash, login_session: sessionId, login_expires_at: expiresAt })
        .where('user_id', '=', userId)
        .where('broker', '=', 'kite')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Consumes a login: returns its connection once, to the session that started it, in time. */
    takeLogin: (userId: string, { hash, sessionId }: Pick<NewLogin, 'hash' | 'sessionId'>, at: Date) =>
      db
        .updateTable('broker_connections')
        .set(noLogin)
        .where('user_id', '=', userId)
        .where('login_hash', '=', hash)
        .where('login_session', '=', sessionId)
        .where('login_expires_at', '>', at)
        .returningAll()
        .executeTakeFirst(),

    /** Stores the login result unless the connection has changed since it was read. */
    async putSession(row: Pick<ConnectionRow, 'user_id' | 'version'>, secret: Buffer, at: Date, expiresAt: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('broker_connections')
        .set({ secret, session_at: at, expires_at: expiresAt, refused_at: null, version: newVersion })
        .where('user_id', '=', row.user_id)
        .where('version', '=', row.version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Returns true if this version was not marked as rejected before. */
    async markRejected(userId: string, version: string, at: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('broker_connections')
        .set({ refused_at: at, version: newVersion })
        .where('user_id', '=', userId)
        .where('version', '=', version)
        .where('refused_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    delete: (userId: string) => db.deleteFrom('broker_connections').where('user_id', '=', userId).returning('broker').executeTakeFirst(),
  }
}
