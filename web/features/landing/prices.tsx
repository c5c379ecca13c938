// Prices of the plans on sale, as the server has filled them in.
import { landingText } from '#shared/landing/text/en.ts'
import { site } from '#web/lib/site.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'

const rows = [
  [landingText.priceRegular, 'regular'],
  [landingText.priceCrypto, 'crypto'],
] as const

/** One line for each way to pay. */
export function Prices() {
  return (
    <dl className="grid gap-px overflow-hidden rounded-panel border border-line bg-line sm:grid-cols-2">
      {rows.map(([rail, type]) => (
        <div key={type} className="flex items-baseline justify-between gap-4 bg-canvas p-6">
          <dt className="text-14 text-text-2">{rail}</dt>
          <dd className="text-20 font-semibold tracking-tight">
            <NumericText>{site.prices[type] || landingText.priceUnknown}</NumericText>
          </dd>
        </div>
      ))}
    </dl>
  )
}
