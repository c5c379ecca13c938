// Two-factor sign-in on the account page: the authenticator app and the recovery codes.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsText as text } from '#shared/factors/text/en.ts'
import { kitText } from '#shared/base/text/en-kit.ts'
import { factorRoutes } from '#shared/factors/contract.ts'
import { indiaDateTime } from '#web/lib/india-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { FailureNotice } from '#web/ui/notice.tsx'
import { call } from '#web/lib/api.ts'
import { factorsQuery, useNewRecoveryCodes } from './api.ts'
import { CodesDialog } from './codes-dialog.tsx'
import { FactorRow } from './factor-row.tsx'
import { PasskeyRows } from './passkey-rows.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { RemoveFactor } from './remove-factor.tsx'
import { TotpSetup } from './totp-setup.tsx'

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
