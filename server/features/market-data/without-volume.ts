// A feed for a series without volume: drops the source's volume, such as the trades of a small market.
import type { Candle } from '#shared/candles/candle.ts'
import type { Feed } from './feed.ts'

/** Wraps a feed and removes the volume of every candle and trade, live and historical. */
export function feedWithoutVolume(feed: Feed): Feed {
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
        minute: (candle, isClosed, eventMs) => sink.minute(withoutVolume(candle), isClosed, eventMs),
        trade: (trade) => sink.trade({ ...trade, size: null, isTakerBuy: null }),
        alive: () => sink.alive?.(),
        suspect: (timeMs, issue) => sink.suspect?.(timeMs, issue),
        state: (state) => sink.state(state),
      }),
  }
}

/** The candle with its prices only. */
export function withoutVolume(candle: Candle): Candle {
  return { ...candle, volume: null, takerBuyVolume: null }
}
