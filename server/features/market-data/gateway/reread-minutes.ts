// Corrects the newest minutes in memory by what is stored.
import type { Candle } from '#shared/candles/candle.ts'
import { feedErrorText, type FeedLog } from '../feed.ts'
import type { MinuteBuffer } from '../minute-buffer.ts'
import type { CandleKey, CandleStore } from '../store/candle-store.ts'
import type { StoreWriter } from './store-writer.ts'

export interface RereadOptions extends Omit<CandleKey, 'step'> {
  readonly store: CandleStore
  readonly log: FeedLog
  /** May still hold minutes of `recent`. */
  readonly writer: Pick<StoreWriter, 'flush'>
  readonly recent: MinuteBuffer<Candle>
}

/** Never rejects: without the store the minutes stay as they are. */
export async function rereadMinutes({ series, source, store, log, writer, recent }: RereadOptions): Promise<void> {
  try {
    await writer.flush()
    const known = new Map(recent.values().map((minute) => [minute.timeMs, minute]))
    const [firstMs = Infinity] = known.keys()
    const stored = await store.range({ series, source, step: '1m' }, { fromMs: firstMs, toMs: Infinity })
    // Another source may have taken over meanwhile.
    if (![...known].some(([timeMs, minute]) => recent.get(timeMs) === minute)) return
    // A minute that changed meanwhile is newer than the stored one.
    for (const minute of stored) if (recent.get(minute.timeMs) === known.get(minute.timeMs)) recent.put(minute.timeMs, minute)
    recent.trim()
  } catch (error) {
    log('minutes are not read again', { series, source, reason: feedErrorText(error) })
  }
}
