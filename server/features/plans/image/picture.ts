// What the readers of image headers share: the size limit, the way out, and the result.
import { AppError } from '#shared/http/errors.ts'
import { planText } from '#shared/text/en/plans.ts'

const sidePxMax = 1024

/** One still picture: its size, and a file of its format that holds nothing but its pixels, or the pixels (four bytes each). */
export type Picture = { readonly width: number; readonly height: number } & ({ readonly file: Buffer } | { readonly rgba: Uint8Array })

/** @throws AppError invalid: the bytes are no whole image of the declared format. */
export function refuseImage(): never {
  throw imageError(planText.imageInvalid)
}

/** @throws AppError invalid where a side is 0 or longer than 1024 pixels; called before anything is decoded. */
export function checkSize(width: number, height: number): void {
  if (width < 1 || height < 1) refuseImage()
  if (width > sidePxMax || height > sidePxMax) throw imageError(planText.imageDimensions)
}

export function imageError(message: string): AppError {
  return new AppError('invalid', message, { code: 'plans.image', fields: { qrcodeUrl: message } })
}
