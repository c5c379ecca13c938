// The thread PGlite lives in: a long query stops this thread and no request.
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite, types } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { FromWorker, QueryAnswer, QueryFailure, ToWorker, WorkerStart } from './messages.ts'
import { SyncFs } from './sync-fs.ts'

const port = parentPort
if (!port) throw new Error('this file is a worker')
const say = (message: FromWorker): void => port.postMessage(message)
const { directory } = workerData as WorkerStart

const fs = new SyncFs(directory)
const asText = (value: string): string => value
const pglite = new PGlite({
  extensions: { pg_trgm },
  fs,
  // Without -F, which switches flushing off; the later settings win over its own.
  startParams: [
    ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
    ...['fsync=on', 'wal_sync_method=fsync', 'full_page_writes=on', 'synchronous_commit=on', 'timezone=UTC'].flatMap((setting) => [
      '-c',
      setting,
    ]),
  ],
  // The same shapes as the other engines give.
  parsers: { [types.INT8]: asText, [types.NUMERIC]: asText },
})

async function run(query: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
  // Several statements in one text are possible only without parameters.
  const results = parameters.length === 0 ? await pglite.exec(query) : [await pglite.query(query, [...parameters])]
  const last = results.at(-1)
  return { rows: (last?.rows ?? []) as Record<string, unknown>[], affectedRows: last?.affectedRows ?? 0 }
}

function describe(error: unknown): QueryFailure {
  const found = error as Record<string, unknown>
  const fields = ['code', 'detail', 'constraint', 'table', 'column', 'severity'].filter((name) => typeof found[name] === 'string')
  return {
    message: error instanceof Error ? error.message : String(error),
    ...Object.fromEntries(fields.map((name) => [name, found[name]])),
  }
}

port.on('message', (message: ToWorker) => {
  if ('close' in message) {
    void pglite.close().then(
      () => say({ closed: true }),
      (error: unknown) => say({ failure: describe(error) }),
    )
    return
  }
  run(message.query, message.parameters).then(
    (answer) => say({ answer }),
    (error: unknown) => say({ failure: describe(error) }),
  )
})

try {
  await pglite.waitReady
  const before = fs.syncs
  // A commit that must be flushed and leaves no table behind.
  await pglite.query("select pg_logical_emit_message(true, 'tezi', 'is this flushed?')")
  say({ ready: true, syncs: fs.syncs - before })
} catch (error) {
  say({ failed: describe(error).message })
}
