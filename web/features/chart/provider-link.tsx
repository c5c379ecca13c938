// Links to the provider's site: the button on cards, and the attribution required on every chart.
import { providerUrl } from '#shared/chart/widget-url.ts'
import { chartText } from '#shared/chart/text/en.ts'
import { marketText } from '#shared/chart/text/en-shell.ts'
import { buttonClass, type ButtonVariant } from '#web/ui/button.tsx'
import { ExternalLinkIcon } from '#web/ui/icon.ts'

export function OpenOnProvider({ symbol, variant = 'outline' }: { readonly symbol: string; readonly variant?: ButtonVariant }) {
  return (
    <a href={providerUrl(symbol)} target="_blank" rel="noopener noreferrer" className={buttonClass(variant)}>
      {marketText.openOnProvider}
      <ExternalLinkIcon aria-hidden className="size-3.5" strokeWidth={1.5} />
    </a>
  )
}

export function Attribution({ symbol }: { readonly symbol: string }) {
  return <QuietLink href={providerUrl(symbol)} text={marketText.attribution} />
}

/** The Tezi chart uses the provider's open-source library, whose licence requires this link. */
export function LibraryAttribution() {
  return <QuietLink href="https://www.tradingview.com/" text={chartText.attribution} />
}

function QuietLink({ href, text }: { readonly href: string; readonly text: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      // Phones and charts beside others show only the provider's name.
      aria-label={text}
      className="inline-flex items-center gap-1 rounded-control whitespace-nowrap text-text-3 hover:text-text pointer-coarse:-my-2 pointer-coarse:min-h-11"
    >
      <span className="max-sm:hidden in-data-many:hidden">{text}</span>
      <span className="hidden max-sm:inline in-data-many:inline">{marketText.source}</span>
      <ExternalLinkIcon aria-hidden className="size-3" strokeWidth={1.5} />
    </a>
  )
}
