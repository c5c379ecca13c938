// Footer of the landing page: placeholder links, risk disclaimer and copyright years.
import { noticePath } from '#shared/privacy/notice-version.ts'
import { landingText } from '#shared/landing/text/en.ts'
import { site } from '#web/lib/site.ts'
import { Logo } from '#web/ui/logo.tsx'

const [, , [, [, privacyLink]]] = landingText.footer

/** The links are placeholders until the operator has pages for them; support and privacy are real. */
export function LandingFooter() {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6">
        <div className="grid grid-cols-2 gap-8 sm:grid-cols-4">
          <div className="max-sm:col-span-2">
            <Logo />
            <p className="mt-3">
              <FooterLink href={site.supportUrl} text={landingText.support} isForeign />
            </p>
          </div>
          {landingText.footer.map(([title, links]) => (
            <nav key={title} aria-label={title}>
              <h2 className="text-12 font-medium text-text-3">{title}</h2>
              <ul className="mt-2">
                {links.map((link) => (
                  <li key={link}>
                    <FooterLink href={link === privacyLink ? noticePath : '#'} text={link} />
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className="mt-8 flex flex-wrap justify-between gap-x-8 gap-y-2 border-t border-line pt-4 text-12 text-text-3">
          <p>
            © {landingText.years} {site.brandName}
          </p>
          <p className="max-w-prose text-pretty">{landingText.risk}</p>
        </div>
      </div>
    </footer>
  )
}

function FooterLink({ href, text, isForeign = false }: { readonly href: string; readonly text: string; readonly isForeign?: boolean }) {
  return (
    <a
      href={href}
      {...(isForeign ? { target: '_blank', rel: 'noreferrer' } : {})}
      className="inline-flex min-h-7 items-center rounded-control text-13 text-text-2 hover:text-text hover:underline pointer-coarse:min-h-11"
    >
      {text}
    </a>
  )
}
