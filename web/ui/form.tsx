// Form whose errors the page shows, not the browser.
import { useEffect, type ComponentProps, type ReactNode, type RefObject } from 'react'

export interface FormProps extends Omit<ComponentProps<'form'>, 'noValidate' | 'onSubmit'> {
  readonly onSubmit: () => void
}

export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        // React events bubble to forms around a dialog in the component tree; stop them.
        event.stopPropagation()
        onSubmit()
      }}
    />
  )
}

/** Error that belongs to no field. */
export function ErrorNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className="rounded-control border border-danger/50 px-3 py-2 text-13 text-danger">
      {children}
    </p>
  )
}

/** Focuses the field of each new issue, by its name. `ref` is the form, or a field of it. */
export function useIssueFocus(issue: { readonly field: string } | undefined, ref: RefObject<HTMLFormElement | HTMLInputElement | null>) {
  useEffect(() => {
    const form = ref.current instanceof HTMLInputElement ? ref.current.form : ref.current
    if (issue !== undefined) form?.querySelector<HTMLElement>(`[name="${issue.field}"]`)?.focus()
  }, [issue, ref])
}
