// Settings of the candle close alarm; off by default.
import { useState } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import type { AlarmSettings } from '#shared/workspace/workspace.ts'
import { changePreferences, usePreferences } from '#web/lib/preferences.ts'
import { askForNotifications, notificationState, type NotificationState } from '#web/lib/show-notification.ts'
import { Button } from '#web/ui/button.tsx'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { playAlarm, unlockAudio } from './play-alarm.ts'

const secondsMax = 300

/** Why no notification will appear. */
const reasonOf: Readonly<Partial<Record<NotificationState, string>>> = {
  denied: text.alarmDenied,
  'needs-https': kitText.needsHttps,
  missing: text.alarmMissing,
}

export function AlarmDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const alarm = usePreferences(({ workspace }) => workspace.alarm)
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={text.alarm} description={text.alarmNote}>
      {isOpen && <AlarmForm alarm={alarm} />}
    </Dialog>
  )
}

function AlarmForm({ alarm }: { readonly alarm: AlarmSettings }) {
  const [seconds, setSeconds] = useState(String(alarm.secondsBefore))
  const [permission, setPermission] = useState(notificationState)
  const isWrong = readSeconds(seconds) === undefined
  const change = (next: Partial<AlarmSettings>) => changePreferences((before) => ({ ...before, alarm: { ...before.alarm, ...next } }))
  const askNotification = async (isWanted: boolean) => {
    if (!isWanted) return change({ hasNotification: false })
    const next = await askForNotifications()
    setPermission(next)
    return change({ hasNotification: next === 'allowed' })
  }
  return (
    <div className="grid gap-4">
      <CheckboxField
        label={text.alarmOn}
        checked={alarm.isOn}
        onChange={(event) => {
          unlockAudio()
          change({ isOn: event.target.checked })
        }}
      />
      <TextField
        label={text.alarmSeconds}
        inputMode="numeric"
        value={seconds}
        error={isWrong ? text.alarmSecondsIssue : undefined}
        onChange={(event) => {
          setSeconds(event.target.value)
          const secondsBefore = readSeconds(event.target.value)
          if (secondsBefore !== undefined) change({ secondsBefore })
        }}
      />
      <div className="flex items-center justify-between gap-3">
        <CheckboxField label={text.alarmSound} checked={alarm.hasSound} onChange={(event) => change({ hasSound: event.target.checked })} />
        <Button variant="outline" size="small" onClick={playAlarm}>
          {text.alarmTry}
        </Button>
      </div>
      <CheckboxField
        label={text.alarmNotification}
        checked={alarm.hasNotification}
        error={reasonOf[permission]}
        onChange={(event) => void askNotification(event.target.checked)}
      />
    </div>
  )
}

function readSeconds(typed: string): number | undefined {
  const seconds = /^\s*\d{1,3}\s*$/.test(typed) ? Number(typed) : 0
  return seconds >= 1 && seconds <= secondsMax ? seconds : undefined
}
