// Reminder of missing consent above the page; blocks and covers nothing, and can be dismissed for this visit.
import { useState } from 'react'
import { Link } from 'react-router'
import { privacyText as text } from '#shared/privacy/text/en.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'

let isPutOff = false

export function ConsentBanner({ accountPath }: { readonly accountPath: string }) {
  const [isHidden, setIsHidden] = useState(isPutOff)
  if (isHidden) return null
  return (
    <section
      aria-label={text.consentBanner}
      className="flex shrink-0 flex-wrap items-center justify-end gap-x-4 gap-y-2 border-b border-line-strong bg-raised px-4 py-2"
    >
      <p className="grow basis-72 text-13 text-pretty text-text-2">{text.consentMissing}</p>
      <div className="flex gap-2">
        <Button
          variant="outline"
          onClick={() => {
            isPutOff = true
            setIsHidden(true)
          }}
        >
          {text.notNow}
        </Button>
        <Link to={accountPath} className={buttonClass()}>
          {text.review}
        </Link>
      </div>
    </section>
  )
}
