// Privacy notice, public.
import { Link } from 'react-router'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import { appText } from '#shared/app/text/en.ts'
import { PrivacyNotice } from '#web/features/privacy/privacy-notice.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { ArrowLeftIcon } from '#web/ui/icon.ts'
import { paths } from '../paths.ts'
import { PlainHeader } from './plain-header.tsx'

export function PrivacyScreen() {
  useTitle(text.title)
  return (
    <>
      <a href="#main" className="skip-link">
        {appText.skip}
      </a>
      <PlainHeader>
        <Link to={paths.home} className={buttonClass('quiet', 'small')}>
          <ArrowLeftIcon aria-hidden className="size-3.5" strokeWidth={1.75} />
          {text.back}
        </Link>
      </PlainHeader>
      <main id="main" tabIndex={-1} className="mx-auto max-w-4xl px-4 py-8 outline-none sm:px-6">
        <PrivacyNotice />
      </main>
    </>
  )
}
