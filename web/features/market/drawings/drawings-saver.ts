// The drawings of one instrument between the screen, this browser and the server.
import type { Drawing } from '#shared/market/drawings/drawing.ts'
import { readDrawings } from '#shared/market/drawings/drawing.ts'
import { mergeDrawings } from '#shared/workspace/merge.ts'
import { client } from '#web/lib/api.ts'
import { refusalOf } from '#web/lib/failure.ts'
import { createSafeStorage, session } from '#web/lib/storage.ts'
import { unsavedDrawingsKey } from '#web/lib/unsaved.ts'
import { versionedSaver, type VersionedSaver } from '#web/lib/versioned-saver.ts'

const delayMs = 600

const none: readonly Drawing[] = []

/** With their keys: charts beside each other may show the same drawings. */
const open = new Map<VersionedSaver<readonly Drawing[]>, string>()

export interface DrawingsSaverNeeds {
  readonly slug: string
  /** Key of the prices; two names of one instrument share it. */
  readonly series: string
  readonly onDrawings: (drawings: readonly Drawing[]) => void
  readonly onRefused: () => void
}

export function drawingsSaver({ slug, series, onDrawings, onRefused }: DrawingsSaverNeeds): VersionedSaver<readonly Drawing[]> {
  const call = { params: { slug } }
  const key = unsavedDrawingsKey(session.user()?.email ?? '', series)
  const area = createSafeStorage(() => window.localStorage)
  const saver = versionedSaver<readonly Drawing[]>({
    empty: none,
    read: async () => {
      const { version, drawings } = (await client.workspace.drawings(call)).data
      return { version, value: drawings }
    },
    write: async ({ version, value }) => {
      const saved = (await client.workspace.saveDrawings({ ...call, body: { version, drawings: [...value] } })).data.version
      for (const [other, otherKey] of open) if (other !== saver && otherKey === key) other.refresh()
      return saved
    },
    merge: mergeDrawings,
    kindOf,
    keep: { get: () => area.get(key), set: (text) => area.set(key, text), remove: () => area.remove(key) },
    parse: readDrawings,
    delayMs,
    after: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    onValue: (drawings, isOwn) => {
      if (!isOwn) onDrawings(drawings)
    },
    onRefused,
  })
  return {
    ...saver,
    start() {
      open.set(saver, key)
      saver.start()
    },
    stop() {
      open.delete(saver)
      saver.stop()
    },
  }
}

/** A busy or silent server may answer differently next time; a refusal stays one. */
function kindOf(error: unknown): 'conflict' | 'final' | 'passing' {
  const status = refusalOf(error)?.status
  if (status === 409) return 'conflict'
  return status === undefined || status === 0 || status === 429 || status >= 500 ? 'passing' : 'final'
}
