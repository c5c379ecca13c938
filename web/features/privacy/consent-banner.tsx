// Reminder of missing consent; blocks nothing, and can be dismissed for this visit.
import { useState } from 'react'
import { Link } from 'react-router'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'

let isPutOff = false

export function ConsentBanner({ accountPath }: { readonly accountPath: string }) {
  const [isHidden, setIsHidden] = useState(isPutOff)
  if (isHidden) return null
  return (
    <section
      aria-label={text.consentBanner}
      className="fixed bottom-3 left-3 z-30 w-[calc(100vw-1.5rem)] max-w-sm rounded-dialog border border-line-strong bg-raised p-4"
    >
      <p className="text-13 text-pretty text-text-2">{text.consentMissing}</p>
      <div className="mt-3 flex justify-end gap-2">
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
