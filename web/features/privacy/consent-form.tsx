// Gives the consent on the account page, where none is on record or it was withdrawn.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fault } from '#shared/auth/rules.ts'
import { findTickFault, noTicks } from '#shared/privacy/consent.ts'
import { noticeVersion } from '#shared/privacy/notice.ts'
import { privacyText as text } from '#shared/text/en/privacy.ts'
import { client } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { ConsentTicksFields } from '#web/ui/consent-ticks.tsx'
import { toast } from '#web/ui/toast-queue.ts'
import { refreshConsent } from './api.ts'

export function ConsentForm() {
  const cache = useQueryClient()
  const [ticks, setTicks] = useState(noTicks)
  const [fault, setFault] = useState<Fault<string>>()
  const give = useMutation({
    mutationFn: () => client.privacy.giveConsent({ body: { noticeVersion, isAdult: ticks.isAdult } }),
    onSuccess: async ({ message }) => {
      toast({ kind: 'ok', text: message })
      await refreshConsent(cache)
    },
  })
  return (
    <form
      noValidate
      aria-label={text.consentForm}
      className="grid max-w-prose gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const found = findTickFault(ticks)
        setFault(found)
        if (found === undefined && !give.isPending) give.mutate()
      }}
    >
      <ConsentTicksFields
        ticks={ticks}
        fault={fault}
        onTick={(box, isTicked) => {
          setTicks({ ...ticks, [box]: isTicked })
          if (fault?.field === box) setFault(undefined)
        }}
      />
      <Button type="submit" className="justify-self-start" isBusy={give.isPending}>
        {text.agree}
      </Button>
    </form>
  )
}
