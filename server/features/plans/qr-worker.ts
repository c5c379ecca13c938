// Searches pixels for a QR code, in a worker thread: noise can keep the search busy for seconds.
import { parentPort, workerData } from 'node:worker_threads'
import jsqr from 'jsqr'

const port = parentPort
if (!port) throw new Error('this file is a worker')
const { pixels, width, height } = workerData as { pixels: Uint8Array; width: number; height: number }
// The package is CommonJS with a nested `default` export.
const find = 'default' in jsqr ? jsqr.default : jsqr
const found = find(new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength), width, height)
port.postMessage(found?.data ?? null)
