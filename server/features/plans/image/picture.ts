// Shared by the readers of image headers: the size limit, the error, and the result.
import { AppError, type MessageOf } from '#shared/http/app-error.ts'

const sidePxMax = 1024

/** One still image: its size, and a file of its format that contains only its pixels, or the pixels (four bytes each). */
export type Picture = Size & ({ readonly file: Buffer } | { readonly rgba: Uint8Array })

export interface Size {
  readonly width: number
  readonly height: number
}

/** @throws AppError invalid: the bytes are not a complete image of the declared format */
export function rejectImage(): never {
  throw imageError('adminPlans.imageInvalid')
}

/** @throws AppError invalid if a side is 0 or longer than 1024 pixels; called before anything is decoded */
export function checkedSize(width: number, height: number): Size {
  if (width < 1 || height < 1) rejectImage()
  if (width > sidePxMax || height > sidePxMax) throw imageError('adminPlans.imageDimensions')
  return { width, height }
}

export function imageError(message: MessageOf): AppError {
  return new AppError('invalid', message, { fields: { qrcodeUrl: message } })
}
