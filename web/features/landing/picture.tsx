// A picture of the product with generated prices, taken by e2e/pictures.e2e.ts.
import { landingText } from '#shared/text/en/landing.ts'
import { cn } from '#web/lib/cn.ts'

export interface PictureProps {
  readonly src: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly className?: string
}

/** Loaded when it comes near the view; its place is reserved. */
export function Picture({ className, alt, ...image }: PictureProps) {
  return (
    <figure className={cn('relative overflow-hidden rounded-panel border border-line', className)}>
      <img {...image} alt={alt} loading="lazy" decoding="async" className="block h-auto w-full" />
      <figcaption className="absolute right-2 bottom-2 rounded-control border border-line-strong bg-raised px-1.5 py-px text-11 font-medium text-text-2">
        {landingText.samplePrices}
      </figcaption>
    </figure>
  )
}
