// The text of a QR code in a picture, found in time or not at all.
import { Worker } from 'node:worker_threads'

export interface Pixels {
  /** Four bytes a pixel: red, green, blue, alpha. */
  readonly rgba: Uint8Array
  readonly width: number
  readonly height: number
}

const searchMsDefault = 2000
const textMax = 1000

/** Null where there is no code, it holds no text, or the search takes longer than `searchMs`. */
export function readQr(pixels: Pixels, searchMs = searchMsDefault): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  const worker = new Worker(new URL('./qr-worker.ts', import.meta.url), {
    workerData: { pixels: pixels.rgba, width: pixels.width, height: pixels.height },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  const timer = setTimeout(() => resolve(null), searchMs)
  worker.once('message', (text: string | null) => resolve(text))
  worker.once('error', () => resolve(null))
  worker.once('exit', () => resolve(null))
  return promise
    .then((text) => (text === null || text.trim() === '' ? null : text.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, textMax)))
    .finally(() => {
      clearTimeout(timer)
      void worker.terminate()
    })
}
