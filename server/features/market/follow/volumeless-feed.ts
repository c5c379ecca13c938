// A feed for a series that has no volume: whatever a source counts there, such as the trades of its own small market, is left out.
import type { Candle } from '#shared/market/candles/candle.ts'
import type { Feed } from '../feed.ts'

/** Wraps a feed so that every candle and every trade of it is without volume, from its stream as from its history. */
export function volumelessFeed(feed: Feed): Feed {
  const { olderMinutes } = feed
  return {
    ...feed,
    ...(olderMinutes && {
      async olderMinutes(request) {
        const { candles, fromMs } = await olderMinutes(request)
        return { candles: candles.map(withoutVolume), fromMs }
      },
    }),
    history: async (request) => (await feed.history(request)).map(withoutVolume),
    watch: (symbol, sink) =>
      feed.watch(symbol, {
        minute: (candle, isClosed) => sink.minute(withoutVolume(candle), isClosed),
        trade: (trade) => sink.trade({ ...trade, size: null, isTakerBuy: null }),
        alive: () => sink.alive?.(),
        state: (state) => sink.state(state),
      }),
  }
}

/** The candle with its prices only. */
export function withoutVolume(candle: Candle): Candle {
  return { ...candle, volume: null, takerBuyVolume: null }
}
