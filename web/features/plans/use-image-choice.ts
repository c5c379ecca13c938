// Image selection: client-side rules, then the server's check, then the accepted image.
import { useRef, useState } from 'react'
import { planAdminText } from '#shared/plans/text/en-admin.ts'
import { serverMessageOf } from '#web/lib/api-error.ts'
import { toast } from '#web/lib/toast.ts'
import { readImage } from './api.ts'
import { readImageFile } from './read-image-file.ts'

/** Undefined until the server has answered; null where the image holds no QR code. */
export type CheckedPayee = string | null | undefined

export interface ImageChoice {
  readonly isReading: boolean
  readonly issue: string | undefined
  readonly payee: CheckedPayee
  readonly choose: (file: File) => Promise<void>
}

/** Calls `onImage` with the data URL of each accepted image, which replaces the previous one. */
export function useImageChoice(initialPayee: CheckedPayee, onImage: (dataUrl: string) => void): ImageChoice {
  const [state, setState] = useState<Omit<ImageChoice, 'choose'>>({ isReading: false, issue: undefined, payee: initialPayee })
  const turn = useRef(0)

  const choose = async (file: File) => {
    turn.current += 1
    const mine = turn.current
    // A later choice supersedes this one.
    const isSuperseded = () => turn.current !== mine
    setState({ ...state, isReading: true, issue: undefined })
    const result = await readImageFile(file)
    if (isSuperseded()) return
    if (!result.isFine) return setState({ ...state, isReading: false, issue: result.issue })
    try {
      const { payee } = await readImage(result.dataUrl)
      if (isSuperseded()) return
      finish(payee)
    } catch (error) {
      if (isSuperseded()) return
      const rejection = serverMessageOf(error)
      if (rejection !== undefined) return setState({ ...state, isReading: false, issue: rejection })
      // Saving checks the image again, so a missing answer does not reject it.
      finish(undefined)
    }

    function finish(payee: CheckedPayee) {
      if (!result.isFine) return
      setState({ isReading: false, issue: undefined, payee })
      onImage(result.dataUrl)
      if (result.wasCompressed) toast({ kind: 'info', text: planAdminText.imageCompressed })
      toast({ kind: 'ok', text: planAdminText.imageUploaded })
    }
  }

  return { ...state, choose }
}
