// Two-factor sign-in on the account page: the authenticator app and the recovery codes.
import { useQuery, useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { kitText } from '#shared/base/text/en-kit.ts'
import { factorRoutes, type FactorState } from '#shared/factors/contract.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { call } from '#web/lib/api.ts'
import { factorsQuery, useNewRecoveryCodes, useFactorsChanged, canUsePasskeys } from './api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { TotpSetup } from './totp-setup.tsx'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { withStepUp } from '#web/lib/with-step-up.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceName } from '../device-name.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { CheckIcon } from '#web/ui/icon.ts'

/** Renders loading, error and data states. */
export function TwoFactor() {
  const query = useQuery(factorsQuery)
  if (query.isLoadingError) return <FailureNotice query={query} fallback={text.loadFailed} />
  if (query.data === undefined) return <div className="h-16 animate-breathe rounded-panel border border-line bg-surface" />
  const { totpSince, recoveryCodesLeft, passkeys, hasPasskeys } = query.data
  const hasFactor = totpSince !== null || passkeys.length > 0
  return (
    <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
      {!isSecureContext && <li className="px-4 py-3 text-12 text-pretty text-warn">{kitText.needsHttps}</li>}
      <FactorRow name={text.app} isOn={totpSince !== null} note={totpSince === null ? text.appOff : text.appOn(indiaDateTime(totpSince))}>
        <SetUpApp label={totpSince === null ? text.appAdd : text.appReplace} isSolid={totpSince === null} />
        {totpSince !== null && (
          <RemoveFactor
            title={text.appRemoveTitle}
            send={async (password) => (await call(factorRoutes.removeTotp, { body: { password } })).message}
          />
        )}
      </FactorRow>
      {(hasPasskeys || passkeys.length > 0) && <PasskeyRows passkeys={passkeys} canAdd={hasPasskeys} />}
      {hasFactor && (
        <FactorRow name={text.codesTitle} note={`${text.codesLeft(recoveryCodesLeft)}. ${text.codesNote}`}>
          <NewCodes />
        </FactorRow>
      )}
    </ul>
  )
}

function SetUpApp({ label, isSolid }: { readonly label: string; readonly isSolid: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const [areCodesShown, setAreCodesShown] = useState(false)
  const close = () => {
    setIsOpen(false)
    setAreCodesShown(false)
  }
  return (
    <>
      <Button variant={isSolid ? 'solid' : 'outline'} size="small" onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      {/* Codes that are shown once cannot be dismissed by accident; only their own button closes them. */}
      <CodesDialog isOpen={isOpen} title={areCodesShown ? text.codesTitle : text.setupTitle} onClose={areCodesShown ? undefined : close}>
        <TotpSetup onDone={close} onCodes={() => setAreCodesShown(true)} />
      </CodesDialog>
    </>
  )
}

function NewCodes() {
  const make = useNewRecoveryCodes()
  return (
    <>
      <ConfirmButton
        label={text.codesNew}
        variant="outline"
        size="small"
        title={text.codesNewTitle}
        question={text.codesNewText}
        isBusy={make.isPending}
        onConfirm={(close) => make.mutate(undefined, { onSettled: close })}
      />
      <CodesDialog isOpen={make.data !== undefined} title={text.codesTitle} onClose={undefined}>
        <RecoveryCodes codes={make.data ?? []} onDone={() => make.reset()} />
      </CodesDialog>
    </>
  )
}

interface PasskeyRowsProps {
  readonly passkeys: FactorState['passkeys']
  readonly canAdd: boolean
}

function PasskeyRows({ passkeys, canAdd }: PasskeyRowsProps) {
  return (
    <>
      <FactorRow name={text.passkey} isOn={passkeys.length > 0} note={canUsePasskeys() ? text.passkeyNote : text.passkeyMissing}>
        {canAdd && canUsePasskeys() && <AddPasskey />}
      </FactorRow>
      {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <FactorRow
          key={id}
          name={name}
          note={text.passkeyUsed(indiaDateTime(createdAt), lastUsedAt === null ? null : indiaDateTime(lastUsedAt))}
        >
          <RemoveFactor
            title={text.passkeyRemoveTitle}
            label={text.passkeyRemoveOf(name)}
            send={async (password) => (await call(factorRoutes.removePasskey, { body: { id, password } })).message}
          />
        </FactorRow>
      ))}
    </>
  )
}

function AddPasskey() {
  const changed = useFactorsChanged()
  const [codes, setCodes] = useState<readonly string[]>([])
  const add = useMutation({
    mutationFn: async () => {
      const { options } = (await withStepUp(() => call(factorRoutes.startPasskey))).data
      const { startRegistration } = await import('@simplewebauthn/browser')
      const response = await startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] })
      return call(factorRoutes.addPasskey, { body: { name: deviceName(navigator.userAgent), response: { ...response } } })
    },
    onSuccess: ({ message, data }) => {
      toast({ kind: 'ok', text: message })
      setCodes(data.recoveryCodes)
      changed()
    },
    onError: (error) => toast({ kind: 'danger', text: serverMessageOf(error) ?? text.passkeyFailed }),
    gcTime: 0,
    meta: { isQuiet: true },
  })
  return (
    <>
      <Button variant="outline" size="small" isBusy={add.isPending} onClick={() => add.mutate()}>
        {text.passkeyAdd}
      </Button>
      <CodesDialog isOpen={codes.length > 0} title={text.codesTitle} onClose={undefined}>
        <RecoveryCodes codes={codes} onDone={() => setCodes([])} />
      </CodesDialog>
    </>
  )
}

interface CodesDialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Undefined while only its own button may close it. */
  readonly onClose: (() => void) | undefined
  readonly children: ReactNode
}

function CodesDialog({ isOpen, title, onClose, children }: CodesDialogProps) {
  return (
    <Dialog isOpen={isOpen} title={title} onClose={onClose} widthClass="max-w-md">
      {children}
    </Dialog>
  )
}

interface FactorRowProps {
  readonly name: string
  readonly note: string
  /** Undefined for a row without a state. */
  readonly isOn?: boolean
  readonly children: ReactNode
}

function FactorRow({ name, note, isOn, children }: FactorRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-44 flex-1">
        <p className="flex items-center gap-1.5 text-13 font-medium">
          {isOn === true && <CheckIcon aria-hidden className="size-3.5 text-ok" strokeWidth={2} />}
          <span>{name}</span>
          {isOn === false && <span className="text-12 font-normal text-text-3">{text.off}</span>}
        </p>
        <p className="text-12 text-pretty text-text-2 tabular-nums">{note}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}
