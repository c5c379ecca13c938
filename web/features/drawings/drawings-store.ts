// Drawings of the signed-in account in this page: one store for each price series, shared by all charts that show it.
import { type Drawing, readDrawings } from '#shared/drawings/drawing.ts'
import { workspaceText } from '#shared/workspace/text/en.ts'
import { mergeDrawings } from '#shared/workspace/merge-workspaces.ts'
import { workspaceRoutes } from '#shared/workspace/contract.ts'
import { accountSaver } from '#web/lib/account-saver.ts'
import { call } from '#web/lib/api.ts'
import { unsavedDrawingsKey } from '#web/lib/forget-unsaved.ts'
import { session } from '#web/lib/browser-storage.ts'
import type { VersionedSaver } from '#web/lib/versioned-saver.ts'
import { toast } from '#web/lib/toast.ts'

const delayMs = 600

const none: readonly Drawing[] = []

export interface DrawingsOptions {
  readonly slug: string
  /** Price series key; instruments with the same prices share it. */
  readonly series: string
  /** The drawings were loaded, or changed in another chart or on another device. */
  readonly onDrawings: (drawings: readonly Drawing[]) => void
}

export interface OpenDrawings {
  /** False until the server has answered once. */
  readonly isLoaded: () => boolean
  /** Shows the drawings in the other charts at once, and saves them. */
  readonly change: (drawings: readonly Drawing[]) => void
  readonly close: () => void
}

/** Kept until the session ends, so that unsaved changes are retried and a reopened chart has its drawings at once. */
const stores = new Map<string, DrawingsStore>()

session.onClear(() => stores.clear())

/** Opens the drawings of a series for one chart, and reloads them. */
export function openDrawings(chart: DrawingsOptions): OpenDrawings {
  const key = unsavedDrawingsKey(session.user()?.email ?? '', chart.series)
  const store = stores.get(key) ?? new DrawingsStore(key)
  stores.set(key, store)
  return store.open(chart)
}

class DrawingsStore {
  readonly #charts = new Set<DrawingsOptions>()
  readonly #saver: VersionedSaver<readonly Drawing[]>
  /** Instrument of an open chart, or of the last one. */
  #slug = ''
  /** The chart whose change is being shown. */
  #author: DrawingsOptions | undefined

  constructor(key: string) {
    this.#saver = accountSaver<readonly Drawing[]>({
      key,
      isShown: () => this.#charts.size > 0,
      empty: none,
      read: async () => {
        const { version, drawings } = (await call(workspaceRoutes.drawings, { params: { slug: this.#slug } })).data
        return { version, value: drawings }
      },
      write: async ({ version, value }) => {
        const input = { params: { slug: this.#slug }, body: { version, drawings: [...value] } }
        return (await call(workspaceRoutes.saveDrawings, input)).data.version
      },
      merge: mergeDrawings,
      parse: readDrawings,
      delayMs,
      onValue: (drawings) => {
        for (const chart of this.#charts) if (chart !== this.#author) chart.onDrawings(drawings)
      },
      onRejected: () => toast({ kind: 'danger', text: workspaceText.saveFailed }),
    })
  }

  open(chart: DrawingsOptions): OpenDrawings {
    this.#charts.add(chart)
    this.#slug = chart.slug
    if (this.#saver.isLoaded()) chart.onDrawings(this.#saver.value())
    this.#saver.refresh()
    return {
      isLoaded: this.#saver.isLoaded,
      change: (drawings) => this.#change(chart, drawings),
      close: () => this.#close(chart),
    }
  }

  #change(author: DrawingsOptions, drawings: readonly Drawing[]): void {
    this.#author = author
    this.#saver.change(() => drawings)
    this.#author = undefined
  }

  #close(chart: DrawingsOptions): void {
    this.#charts.delete(chart)
    const [open] = this.#charts
    if (open !== undefined) this.#slug = open.slug
    this.#saver.flush()
  }
}
