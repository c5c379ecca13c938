// A timer that a hidden tab does not hold back: the page's own may wake up only once a minute.
/// <reference lib="webworker" />
let timer: ReturnType<typeof setTimeout> | undefined

addEventListener('message', ({ data }: MessageEvent<number>) => {
  clearTimeout(timer)
  // A worker's only listener is the page that made it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  timer = setTimeout(() => (globalThis as unknown as DedicatedWorkerGlobalScope).postMessage(null), data)
})
