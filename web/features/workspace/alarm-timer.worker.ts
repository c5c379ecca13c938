// Timer in a worker: timers of a hidden tab may be throttled to once a minute.
/// <reference lib="webworker" />
let timer: ReturnType<typeof setTimeout> | undefined

addEventListener('message', ({ data }: MessageEvent<number>) => {
  clearTimeout(timer)
  // The only listener of a worker is the page that created it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  timer = setTimeout(() => (globalThis as unknown as DedicatedWorkerGlobalScope).postMessage(null), data)
})
