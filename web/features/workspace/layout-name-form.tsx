// A line that names a layout: a new one, or one by another name.
import { useState } from 'react'
import { workspaceText as text } from '#shared/text/en/workspace.ts'
import { layoutNameMax } from '#shared/workspace/workspace.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export interface LayoutNameFormProps {
  readonly label: string
  readonly name: string
  /** A sentence about a name that will not do. */
  readonly findFault: (name: string) => string | undefined
  readonly onName: (name: string) => void
}

/** Begins with `name`, and stands at it again once a name was taken. */
export function LayoutNameForm({ label, name, findFault, onName }: LayoutNameFormProps) {
  const [typed, setTyped] = useState(name)
  const [fault, setFault] = useState<string>()
  return (
    <form
      noValidate
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        const found = findFault(typed)
        setFault(found)
        if (found !== undefined) return
        onName(typed)
        setTyped(name)
      }}
    >
      <TextField
        label={label}
        value={typed}
        maxLength={layoutNameMax}
        error={fault}
        onChange={(event) => setTyped(event.target.value)}
        className="flex-1"
      />
      <Button type="submit" className="mt-7 h-10">
        {text.layoutSave}
      </Button>
    </form>
  )
}
