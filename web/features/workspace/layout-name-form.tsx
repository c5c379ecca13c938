// Input for the name of a new or renamed layout.
import { useState } from 'react'
import { workspaceText as text } from '#shared/workspace/text/en.ts'
import type { CodeOf } from '#shared/messages/message.ts'
import { sentenceOf } from '#shared/text/texts.ts'
import { layoutNameMax } from '#shared/workspace/workspace.ts'
import { Button } from '#web/ui/button.tsx'
import { Form } from '#web/ui/form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export interface LayoutNameFormProps {
  readonly label: string
  readonly name: string
  /** Returns the code of a message for an invalid name. */
  readonly findIssue: (name: string) => CodeOf<'workspace', typeof text> | undefined
  readonly onName: (name: string) => void
}

/** Starts with `name`, and resets to it after a submit. */
export function LayoutNameForm({ label, name, findIssue, onName }: LayoutNameFormProps) {
  const [typed, setTyped] = useState(name)
  const [issue, setIssue] = useState<string>()
  const submit = () => {
    const found = findIssue(typed)
    setIssue(found === undefined ? undefined : sentenceOf(text, { code: found }))
    if (found !== undefined) return
    onName(typed)
    setTyped(name)
  }
  return (
    <Form className="flex items-start gap-2" onSubmit={submit}>
      <TextField
        label={label}
        value={typed}
        maxLength={layoutNameMax}
        error={issue}
        onChange={(event) => setTyped(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" className="mt-7 h-10">
        {text.layoutSave}
      </Button>
    </Form>
  )
}
