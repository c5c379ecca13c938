// State of the instrument settings form: edits, validation, symbol checks and saving.
import { useState } from 'react'
import { findSettingIssue, type AdminInstrument, type InstrumentSetting } from '#shared/instruments/admin-instrument-contract.ts'
import { instrumentsText } from '#shared/instruments/text/en-admin.ts'
import { issueIn } from '#shared/text/texts.ts'
import { apiErrorOf } from '#web/lib/api-error.ts'
import { useSaveInstrument } from './instruments-query.ts'
import { settingOf, normalizeSetting } from './rules.ts'
import { useSymbolChecks } from './use-symbol-checks.ts'

export function useInstrumentForm(row: AdminInstrument, onSaved: () => void) {
  // Keep the initial row, also when the list behind the dialog is refetched.
  const [base] = useState(row)
  const [setting, setSetting] = useState<InstrumentSetting>(() => settingOf(row))
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const checks = useSymbolChecks(setting, settingOf(base))
  const save = useSaveInstrument()
  const canSave = checks.arePassed || checks.areSkipped
  return {
    base,
    setting,
    /** Error messages by field. */
    issues,
    checks,
    canSave,
    isBusy: save.isPending,
    change: (part: Partial<InstrumentSetting>) => {
      setSetting((before) => ({ ...before, ...part }))
      setIssues({})
    },
    submit: () => {
      const sent = normalizeSetting(setting)
      const issue = issueIn(instrumentsText, findSettingIssue(sent, base.slug))
      setIssues(issue === undefined ? {} : { [issue.field]: issue.message })
      if (issue !== undefined || !canSave) return
      const { slug, version } = base
      save.mutate(
        { slug, setting: sent, version, isChecked: checks.arePassed },
        { onSuccess: onSaved, onError: (error) => setIssues(apiErrorOf(error)?.fields ?? {}) },
      )
    },
  }
}
