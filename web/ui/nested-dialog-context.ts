// What a screen puts inside each of its dialogs, such as a dialog that opens on top of them.
import { createContext, type ReactNode } from 'react'

/** Rendered by every dialog of the kit below the provider: only a dialog inside another one can lie on top of it. */
export const NestedDialogContext = createContext<ReactNode>(null)
