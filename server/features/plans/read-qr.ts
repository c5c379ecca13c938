// Reads the QR code of an image, with a time limit.
import { Worker } from 'node:worker_threads'

export interface Pixels {
  /** Four bytes per pixel: red, green, blue, alpha. */
  readonly rgba: Uint8Array
  readonly width: number
  readonly height: number
}

/** Processor time, so that a busy machine finds the same codes as an idle one. */
const searchCpuMsDefault = 2000
const timeoutMs = 20_000
const checkEveryMs = 50
const textMax = 1000
const qrWorker = new URL('./qr-worker.ts', import.meta.url)

/**
 * Resolves to null if there is no code, it has no text, or the search takes longer than `searchCpuMs` of processor time or 20 s.
 * @param search the program of the worker
 */
export function readQr(pixels: Pixels, searchCpuMs = searchCpuMsDefault, search = qrWorker): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const worker = new Worker(search, {
    workerData: { pixels: pixels.rgba, width: pixels.width, height: pixels.height },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  const timeout = setTimeout(() => resolve(null), timeoutMs)
  const budget = setInterval(() => {
    // Rejects only once the worker has ended, which its own events report.
    worker.cpuUsage().then(
      ({ user, system }) => (user + system) / 1000 > searchCpuMs && resolve(null),
      () => undefined,
    )
  }, checkEveryMs)
  worker.once('message', (text: string | null) => resolve(text))
  worker.once('error', () => resolve(null))
  worker.once('exit', () => resolve(null))
  return promise
    .then((text) => (text === null || text.trim() === '' ? null : text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, textMax)))
    .finally(() => {
      clearTimeout(timeout)
      clearInterval(budget)
      void worker.terminate()
    })
}
