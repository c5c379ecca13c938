// Picture of a chart beside the sign-in form on wide screens, labelled as sample data.
import { landingText } from '#shared/text/en/landing.ts'
import chartUrl from '#web/features/landing/pictures/sign-in.avif'

/** Hidden below 1024 px, where the form needs the space and the picture is not fetched. */
export function LoginAside() {
  return (
    <aside aria-label={landingText.illustrative} className="flex flex-col border-l border-line max-lg:hidden">
      <p className="flex items-center gap-2 border-b border-line px-4 py-2 text-12 text-text-2">
        <span className="text-13 font-semibold text-text">{landingText.pictureMarket}</span>
        {landingText.pictureTimeframe}
        <span className="ml-auto rounded-control border border-warn/50 px-1.5 py-px text-11 font-semibold text-warn">
          {landingText.demo}
        </span>
        {landingText.illustrative}
      </p>
      <div className="relative min-h-96 flex-1">
        <img
          src={chartUrl}
          alt={landingText.pictureAlts.chart}
          width={774}
          height={854}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover object-right-bottom"
        />
      </div>
    </aside>
  )
}
