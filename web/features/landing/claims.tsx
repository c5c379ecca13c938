// Four figures claimed by the operator.
import { site } from '#web/lib/site.ts'
import { NumericText } from '#web/ui/numeric-text.tsx'

/** A row of figures separated by hairlines. */
export function Claims() {
  return (
    <dl className="grid grid-cols-2 border-y border-line lg:grid-cols-4">
      {site.claims.map(({ figure, what }) => (
        <div
          key={what}
          className="flex flex-col-reverse gap-1 border-line px-4 py-6 odd:border-r sm:px-6 lg:border-r lg:first:pl-0 lg:last:border-r-0 max-lg:nth-[-n+2]:border-b"
        >
          <dt className="text-14 text-text-2">{what}</dt>
          <dd className="text-36 leading-none font-semibold tracking-tight">
            <NumericText>{figure}</NumericText>
          </dd>
        </div>
      ))}
    </dl>
  )
}
