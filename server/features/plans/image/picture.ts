// Shared by the readers of image headers: the size limit, the error, and the result.
import { AppError } from '#shared/http/errors.ts'
import { planAdminText } from '#shared/text/en/admin-plans.ts'

const sidePxMax = 1024

/** One still image: its size, and a file of its format that contains only its pixels, or the pixels (four bytes each). */
export type Picture = Size & ({ readonly file: Buffer } | { readonly rgba: Uint8Array })

export interface Size {
  readonly width: number
  readonly height: number
}

/** @throws AppError invalid: the bytes are not a complete image of the declared format */
export function rejectImage(): never {
  throw imageError(planAdminText.imageInvalid)
}

/** @throws AppError invalid if a side is 0 or longer than 1024 pixels; called before anything is decoded */
export function checkedSize(width: number, height: number): Size {
  if (width < 1 || height < 1) rejectImage()
  if (width > sidePxMax || height > sidePxMax) throw imageError(planAdminText.imageDimensions)
  return { width, height }
}

export function imageError(message: string): AppError {
  return new AppError('invalid', message, { code: 'plans.image', fields: { qrcodeUrl: message } })
}
