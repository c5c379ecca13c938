// Password input with a show/hide button.
import { useState } from 'react'
import { kitText } from '#shared/base/text/en-kit.ts'
import { EyeIcon, EyeOffIcon } from './icon.ts'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trailing'> {
  /** Initially readable, for a password that the user must copy or read out. */
  readonly isShownAtFirst?: boolean
}

/** All other props go to the input. */
export function PasswordField({ isShownAtFirst = false, ...props }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(isShownAtFirst)
  const Icon = isShown ? EyeOffIcon : EyeIcon
  return (
    <TextField
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <button
          type="button"
          aria-label={(isShown ? kitText.hidePassword : kitText.showPassword)(props.label)}
          onClick={() => setIsShown(!isShown)}
          className="grid size-8 place-items-center rounded-control text-text-3 hover:text-text pointer-coarse:-mr-1 pointer-coarse:size-11"
        >
          <Icon aria-hidden className="size-4" strokeWidth={1.5} />
        </button>
      }
    />
  )
}
