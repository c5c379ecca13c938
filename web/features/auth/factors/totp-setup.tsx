// Authenticator app setup: scan, first code, recovery codes.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readCode } from '#shared/factors/rules.ts'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { toast } from '#web/lib/toast.ts'
import { totpSetupQuery, useConfirmTotp } from './api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface TotpSetupProps {
  /** Called after the recovery codes were saved, or if there were some already. */
  readonly onDone: () => void
  /** Called when recovery codes are shown: the form must not close by itself. */
  readonly onCodes?: () => void
}

export function TotpSetup({ onDone, onCodes }: TotpSetupProps) {
  const setup = useQuery(totpSetupQuery)
  const confirm = useConfirmTotp()
  const [code, setCode] = useState('')
  const [issue, setIssue] = useState<string>()

  if (confirm.data !== undefined && confirm.data.length > 0) return <RecoveryCodes codes={confirm.data} onDone={onDone} />
  if (setup.isLoadingError) return <FailureNotice query={setup} fallback={text.actionFailed} />

  const submit = () => {
    if (confirm.isPending) return
    if (readCode(code)?.kind !== 'totp') return setIssue(text.codeShape)
    confirm.mutate(code, {
      onSuccess: (codes) => {
        toast({ kind: 'ok', text: text.added })
        if (codes.length === 0) onDone()
        else onCodes?.()
      },
      onError: (error) => setIssue(serverMessageOf(error) ?? text.actionFailed),
    })
  }
  return (
    <Form aria-label={text.setupTitle} className="grid gap-4" onSubmit={submit}>
      <p className="text-13 text-pretty text-text-2">{text.setupScan}</p>
      <AppKey secret={setup.data?.secret} uri={setup.data?.uri} />
      <TextField
        name="code"
        label={text.setupCode}
        value={code}
        error={issue}
        hint={text.setupNote}
        autoComplete="one-time-code"
        inputMode="numeric"
        onChange={({ target }) => {
          setCode(target.value)
          setIssue(undefined)
        }}
        required
      />
      <div className="flex justify-end">
        <Button type="submit" isBusy={confirm.isPending} busyText={text.setupBusy}>
          {text.setupSubmit}
        </Button>
      </div>
    </Form>
  )
}

interface AppKeyProps {
  /** Undefined while loading. */
  readonly secret: string | undefined
  readonly uri: string | undefined
}

/** The key of the new entry: as a QR code, as text, and as a link for an app on this device. */
function AppKey({ secret = '', uri }: AppKeyProps) {
  return (
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
  )
}

/** Quiet zone in modules, which scanners need. */
const quietZone = 4

const box = { width: 192, height: 192, className: 'shrink-0 rounded-panel bg-white' } as const

/** QR code as a single SVG path; the encoder is loaded on first use. */
function QrImage({ text, label }: { readonly text: string | undefined; readonly label: string }) {
  const { data: modules } = useQuery({
    queryKey: ['qr', text],
    queryFn: async () => {
      const { create } = await import('qrcode')
      return create(text ?? '', { errorCorrectionLevel: 'M' }).modules
    },
    enabled: text !== undefined,
    staleTime: Infinity,
    // May contain a secret.
    gcTime: 0,
  })
  if (modules === undefined) return <svg {...box} aria-hidden />
  const { size } = modules
  const cells = Array.from({ length: size * size }, (_, at) => at).filter((at) => modules.get(Math.floor(at / size), at % size) !== 0)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quietZone} ${-quietZone} ${size + 2 * quietZone} ${size + 2 * quietZone}`}
      shapeRendering="crispEdges"
      {...box}
    >
      <path fill="#000" d={cells.map((at) => `M${at % size} ${Math.floor(at / size)}h1v1h-1z`).join('')} />
    </svg>
  )
}
