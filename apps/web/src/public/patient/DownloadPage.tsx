import { useEffect, useState } from 'react'
import { readPortalInfo } from '../calls.ts'
import { PatientNotice } from './PatientFrame.tsx'
import { download } from './patient-calls.ts'

/** The server's words for a used, expired or unknown link. */
const EXPIRED = /invalid token or token has expired/i

const TEXTS = {
  ready: () => 'Download your file',
  validating: () => 'Validating your request...',
  saved: () => 'Downloading file. Please do not refresh',
  expired: (product: string) => `This link has expired. Return to ${product} to create a new link.`,
  failed: (product: string) => `There was an error processing your request. Return to ${product} to try again.`,
}

/** Where to get a new link: such links are mailed for two reports, and the page does not know for which. */
const HOW =
  'For a Message History Report, sign in and choose it in your profile menu. For a 60 Day Dispensing Report, ask support.'

/**
 * Fetches the file behind a mailed link and saves it under the server's name, once somebody asks for it: opening the page uses nothing up, because
 * scanners of mail systems open such links first, run the page, and would take the file with patients' names.
 */
export function DownloadPage({
  token,
  product,
  onProduct,
}: {
  token: string
  product: string
  onProduct: (name: string) => void
}) {
  const [state, setState] = useState<keyof typeof TEXTS>('ready')
  const take = () => {
    setState('validating')
    download({ token }).then(
      (file) => {
        save(file)
        setState('saved')
      },
      (error: Error) => setState(EXPIRED.test(error.message) ? 'expired' : 'failed'),
    )
  }
  useEffect(() => {
    readPortalInfo({}).then(
      (info) => onProduct(info.product_name),
      // The default name stays.
      () => {},
    )
  }, [onProduct])
  return (
    <div className="patient">
      <main>
        <PatientNotice key={state} title={TEXTS[state](product)} focus={state !== 'ready'}>
          {state === 'ready' ? (
            <>
              <p>The link works once, for 24 hours.</p>
              <button type="button" className="go" onClick={take}>
                Download
              </button>
            </>
          ) : null}
          {state === 'expired' ? <p>A link works once, for 24 hours. {HOW}</p> : null}
          {state === 'failed' ? <p>The file was not downloaded. {HOW}</p> : null}
          {state === 'saved' ? <p>You will find it in your downloads. You can close this page.</p> : null}
        </PatientNotice>
      </main>
    </div>
  )
}

function save({ filename, text }: { filename: string; text: string }): void {
  const link = document.createElement('a')
  // The byte order mark tells spreadsheets that the text is UTF-8; reading the answer as text removed it.
  link.href = URL.createObjectURL(new Blob(['﻿', text.replace(/^﻿/, '')], { type: 'text/csv;charset=utf-8' }))
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
