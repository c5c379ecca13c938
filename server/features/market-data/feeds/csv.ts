// Candles from the operator's files: a folder with `<series>.<step>.csv`, such as nifty.1m.csv. History only.
import { createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import path from 'node:path'
import { commonSteps, FeedError, stepMs, type Feed, type FeedClock, type FeedSink, type HistoryStep } from '../feed.ts'
import { readCsvCandles, type CsvCandles } from './csv-candles.ts'

export interface CsvOptions {
  /** Folder of the files; see `readCsvCandles` for the format. */
  readonly dir: string
  readonly clock: FeedClock
}

interface ReadFile {
  /** Changes when the file does. */
  readonly state: string
  readonly content: Promise<CsvCandles>
}

/** A file is read whole, so only a few are cached; a chart requests the same one repeatedly. */
const keptFiles = 6

/** The feed of a folder. Files are read on demand and again after they change; a missing file has no candles. */
export function csvFeed({ dir, clock }: CsvOptions): Feed {
  const files = new Map<string, ReadFile>()

  async function contentOf(symbol: string, step: HistoryStep): Promise<CsvCandles> {
    const name = fileName(symbol, step)
    const file = path.join(dir, name)
    const state = await stateOf(file)
    if (state === undefined) return { candles: [], rejected: [], rejectedCount: 0 }
    const known = files.get(name)
    files.delete(name)
    const read = known?.state === state ? known : { state, content: readCsvCandles(linesOf(file), { name, step, nowMs: clock.now() }) }
    files.set(name, read)
    for (const oldest of files.keys()) if (files.size > keptFiles) files.delete(oldest)
    return read.content
  }

  return {
    source: 'csv',
    steps: commonSteps,
    live: 'none',
    async history({ symbol, step, fromMs, toMs, signal, onRejected }) {
      const { candles, rejected } = await contentOf(symbol, step)
      signal?.throwIfAborted()
      const overMs = clock.now() - stepMs[step]
      const known = new Set(candles.map(({ timeMs }) => timeMs))
      const missing = rejected
        .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs && timeMs <= overMs && !known.has(timeMs))
        .toSorted((one, other) => one.timeMs - other.timeMs)
        .map(({ timeMs, issue, reason }) => ({
          span: { fromMs: timeMs, toMs: timeMs + stepMs[step] },
          issue,
          answer: `${timeMs} ${reason}`,
        }))
      if (missing.length > 0) onRejected?.(missing)
      return candles.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs && timeMs <= overMs)
    },
    watch: (symbol, sink) => announce(dir, symbol, sink),
    close: () => Promise.resolve(),
  }
}

/** Emits once whether any file of a symbol exists; files have no updates. */
function announce(dir: string, symbol: string, sink: FeedSink): () => void {
  let isOver = false
  const found = commonSteps.map((step) => access(path.join(dir, fileName(symbol, step))))
  Promise.any(found).then(
    () => {
      if (!isOver) sink.state({ kind: 'live' })
    },
    () => {
      if (!isOver) sink.state({ kind: 'refused', reason: `no file such as ${fileName(symbol, '1m')} in the folder of imported files` })
    },
  )
  return () => {
    isOver = true
  }
}

function fileName(symbol: string, step: HistoryStep): string {
  // Symbols are series keys; this check prevents path traversal.
  if (!/^[a-z0-9-]+$/.test(symbol)) throw new FeedError('refused', 'a symbol of imported files is the key of a series')
  return `${symbol}.${step}.csv`
}

/** Undefined if there is no such file. */
async function stateOf(file: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(file)
    return `${size} ${mtimeMs}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new FeedError('unreachable', `${path.basename(file)} cannot be read`, { cause: error })
  }
}

/** Lines of a file; unlike with readline, a read error rejects here. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest
}
