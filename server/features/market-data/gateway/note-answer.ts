// Notes the rejected rows of a response about minutes.
import { subtractSpans, type TimeSpan } from '#shared/base/time-span.ts'
import { feedErrorText, type FeedLog, type RejectedRow } from '../feed.ts'
import type { CandleKey } from '../store/candle-store.ts'
import type { RejectedRows } from '../store/rejected-rows.ts'
import type { StoreWriter } from './store-writer.ts'

export interface NoteAnswerDeps {
  readonly key: CandleKey
  readonly rejectedRows: RejectedRows
  readonly writer: Pick<StoreWriter, 'add'>
  readonly log: FeedLog
}

/** Resolves to the end of the newest minutes that stay unknown, undefined without any. Never rejects. */
export async function noteAnswer(deps: NoteAnswerDeps, asked: TimeSpan, rejected: readonly RejectedRow[]): Promise<number | undefined> {
  const { key, rejectedRows, writer, log } = deps
  const { series, source } = key
  const holes = rejected.map(({ span }) => span)
  if (rejected.length > 0) log('rows of history refused', { series, source, rows: rejected.length, issue: rejected[0]?.issue })
  try {
    const settled = await rejectedRows.note(key, asked, rejected)
    writer.add(key, [], settled)
    return subtractSpans(holes, settled).at(-1)?.toMs
  } catch (error) {
    // The span stays a hole, which is requested again.
    log('refused rows are not noted', { series, source, reason: feedErrorText(error) })
    return holes.at(-1)?.toMs
  }
}
