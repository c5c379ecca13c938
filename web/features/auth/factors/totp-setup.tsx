// Sets up an authenticator app: scan, first code, recovery codes.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readCode } from '#shared/factors/rules.ts'
import { factorsText as text } from '#shared/text/en/factors.ts'
import { serverMessageOf } from '#web/lib/failure.ts'
import { Button } from '#web/ui/button.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/ui/toast.tsx'
import { totpSetupQuery, useConfirmTotp } from './api.ts'
import { QrImage } from './qr-image.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface TotpSetupProps {
  /** After the recovery codes were saved, or where there were some already. */
  readonly onDone: () => void
  /** Recovery codes are on the screen: it must not go away by itself. */
  readonly onCodes?: () => void
}

export function TotpSetup({ onDone, onCodes }: TotpSetupProps) {
  const setup = useQuery(totpSetupQuery)
  const confirm = useConfirmTotp()
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()

  if (confirm.data !== undefined && confirm.data.length > 0) return <RecoveryCodes codes={confirm.data} onDone={onDone} />
  if (setup.data === undefined && setup.error !== null)
    return <FailureNotice error={setup.error} fallback={text.actionFailed} isBusy={setup.isFetching} onRetry={() => void setup.refetch()} />

  const submit = () => {
    if (confirm.isPending) return
    if (readCode(code)?.kind !== 'totp') return setFault(text.codeShape)
    confirm.mutate(code, {
      onSuccess: (codes) => {
        toast({ kind: 'ok', text: text.added })
        if (codes.length === 0) onDone()
        else onCodes?.()
      },
      onError: (error) => setFault(serverMessageOf(error) ?? text.actionFailed),
    })
  }
  const { secret = '', uri } = setup.data ?? {}
  return (
    <form
      noValidate
      aria-label={text.setupTitle}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        // The page around a dialog must not see it.
        event.stopPropagation()
        submit()
      }}
    >
      <p className="text-13 text-pretty text-text-2">{text.setupScan}</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrImage text={uri} label={text.setupQr} />
        <div className="grid min-w-0 flex-1 gap-2 text-12 text-text-2">
          <p>{text.setupKey}</p>
          <code className="text-13 text-text [overflow-wrap:anywhere]">{secret.match(/.{1,4}/g)?.join(' ')}</code>
          {uri !== undefined && (
            <a href={uri} className="rounded-control text-accent underline underline-offset-2 pointer-coarse:py-3">
              {text.setupOpen}
            </a>
          )}
        </div>
      </div>
      <TextField
        name="code"
        label={text.setupCode}
        value={code}
        error={fault}
        hint={text.setupNote}
        autoComplete="one-time-code"
        inputMode="numeric"
        onChange={({ target }) => {
          setCode(target.value)
          setFault(undefined)
        }}
        required
      />
      <div className="flex justify-end">
        <Button type="submit" isBusy={confirm.isPending} busyText={text.setupBusy}>
          {text.setupSubmit}
        </Button>
      </div>
    </form>
  )
}
