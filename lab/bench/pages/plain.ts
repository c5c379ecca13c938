// The peer of the chart page: plain lightweight-charts on the same API, nothing else. Bundled and served by lab/bench/pages.ts.
import { CandlestickSeries, createChart, type CandlestickData, type UTCTimestamp } from 'lightweight-charts'

type Row = readonly [number, number, number, number, number]

const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/market/live`)
let series: ReturnType<ReturnType<typeof createChart>['addSeries']> | undefined
let id = 0
let topic = ''

function show(slug: string, timeframe: string): void {
  if (id > 0) socket.send(JSON.stringify({ t: 'unsub', id }))
  id += 1
  socket.send(JSON.stringify({ t: 'sub', id, slug, timeframe, bars: 1500 }))
}

socket.addEventListener('open', () => socket.send(JSON.stringify({ t: 'hello', v: 1, token: localStorage.getItem('sessionToken') })))
socket.addEventListener('message', ({ data }: MessageEvent<string>) => {
  const message = JSON.parse(data) as { t: string; id: number; k: string; candles: Row[]; c: Row[] }
  if (message.t === 'ready') show('nifty', '1')
  if (message.t === 'snap' && message.id === id) {
    topic = message.k
    series ??= createChart(document.body, { autoSize: true, timeScale: { timeVisible: true } }).addSeries(CandlestickSeries)
    series.setData(message.candles.map(candleOf))
  }
  if (message.t === 'upd' && message.k === topic) for (const row of message.c) series?.update(candleOf(row))
})

function candleOf([timeMs, open, high, low, close]: Row): CandlestickData {
  return { time: (timeMs / 1000) as UTCTimestamp, open, high, low, close }
}

Object.assign(window, { plain: { show } })
