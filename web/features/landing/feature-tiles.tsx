// Feature tiles, with pictures of the product or a small drawing of the feature.
import type { ReactNode } from 'react'
import { landingText } from '#shared/landing/text/en.ts'
import { cn } from '#web/lib/cn.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'
import { DemoClock } from './demo-clock.tsx'
import phoneUrl from './pictures/phone.avif'
import screenUrl from './pictures/screen.avif'
import studiesUrl from './pictures/studies.avif'

const { features, pictureAlts } = landingText
const timeframes = ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '1D']
const groups = [
  ['FOREX', 'EUR/USD, GBP/USD, USD/JPY'],
  ['CRYPTO', 'BTC/USDT, ETH/USDT, DOGE/USDT'],
  ['FUTURE', 'SENSEX'],
  ['STOCKS', 'RELIANCE, TATA STEEL, HAVELLS'],
] as const

const references = [
  [landingText.priceRegular, landingText.utr, '4127 0983 5516'],
  [landingText.priceCrypto, landingText.orderId, '2207 4419 8036 5512 74'],
] as const

/** Six tiles separated by hairlines. */
export function FeatureTiles() {
  return (
    <ul className="grid gap-px overflow-hidden rounded-panel border border-line bg-line md:grid-cols-2 lg:grid-cols-3">
      <Tile text={features.countdown} className="lg:col-span-2">
        <BigCountdown />
      </Tile>
      <Tile text={features.markets}>
        <dl className="w-full text-12">
          {groups.map(([group, some]) => (
            <div key={group} className="flex gap-3 border-t border-line py-1.5 first:border-t-0">
              <dt className="w-16 shrink-0 font-medium">{landingText.groups[group]}</dt>
              <dd className="truncate text-text-3">{some}</dd>
            </div>
          ))}
        </dl>
      </Tile>
      <Tile text={features.timeframes}>
        <span className="grid w-full grid-cols-9 text-center text-12 text-text-3 tabular-nums">
          {timeframes.map((name) => (
            <span key={name} className={cn('border-b-2 py-1.5', name === '15m' ? 'border-accent font-medium text-text' : 'border-line')}>
              {name}
            </span>
          ))}
        </span>
      </Tile>
      <Tile text={features.indicators}>
        <Picture src={studiesUrl} alt={pictureAlts.studies} width={760} height={474} />
      </Tile>
      <Tile text={features.payment}>
        <dl aria-hidden className="w-full text-12">
          {references.map(([rail, kind, reference]) => (
            <div key={rail} className="flex items-baseline gap-3 border-t border-line py-2 first:border-t-0">
              <dt className="w-10 shrink-0 font-medium">{rail}</dt>
              <dd className="flex flex-1 items-baseline justify-between gap-2 text-text-3">
                {kind}
                <NumericText className="text-13 text-text">{reference}</NumericText>
              </dd>
            </div>
          ))}
        </dl>
      </Tile>
      <Tile text={features.calm} className="md:col-span-2 lg:col-span-3" isWide>
        <div className="grid w-full items-center gap-6 sm:grid-cols-[3fr_1fr]">
          <Picture src={screenUrl} alt={pictureAlts.screen} width={1440} height={900} />
          <Picture src={phoneUrl} alt={pictureAlts.phone} width={390} height={844} className="max-sm:mx-auto max-sm:w-2/3" />
        </div>
      </Tile>
    </ul>
  )
}

interface TileProps {
  readonly text: readonly [title: string, sentence: string]
  readonly className?: string
  readonly isWide?: boolean
  readonly children?: ReactNode
}

function Tile({ text: [title, sentence], className, isWide = false, children }: TileProps) {
  return (
    <li className={cn('flex flex-col bg-canvas p-6', className)}>
      <div className="mb-6 flex flex-1 items-center md:min-h-24">{children}</div>
      <div className={cn(isWide && 'lg:flex lg:items-baseline lg:gap-8')}>
        <h3 className="shrink-0 text-16 font-semibold">{title}</h3>
        <p className={cn('text-14 text-pretty text-text-2', isWide ? 'max-lg:mt-1' : 'mt-1')}>{sentence}</p>
      </div>
    </li>
  )
}

function BigCountdown() {
  return (
    <dl className="flex w-full flex-wrap items-end gap-x-8 gap-y-4">
      {[5, 15, 60].map((minutes, index) => (
        <div key={minutes} className="flex flex-col-reverse">
          <dd className={cn('leading-none font-semibold tracking-tight', index === 0 ? 'text-52 text-text' : 'text-28 text-text-3')}>
            <DemoClock minutes={minutes} />
          </dd>
          <dt className="pb-2 text-12 text-text-3">{minutes === 60 ? '1h' : `${minutes}m`}</dt>
        </div>
      ))}
    </dl>
  )
}

interface PictureProps {
  readonly src: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly className?: string
}

/** Loaded when it comes near the view; its place is reserved. */
function Picture({ className, alt, ...image }: PictureProps) {
  return (
    <figure className={cn('relative overflow-hidden rounded-panel border border-line', className)}>
      <img {...image} alt={alt} loading="lazy" decoding="async" className="block h-auto w-full" />
      <figcaption className="absolute right-2 bottom-2 rounded-control border border-line-strong bg-raised px-1.5 py-px text-11 font-medium text-text-2">
        {landingText.samplePrices}
      </figcaption>
    </figure>
  )
}
