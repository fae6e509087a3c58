import { useState } from 'preact/hooks';
import { FileField } from '../../components/fields';
import { runTransfer } from '../../transfer/run-transfer';
import { TransferDialog } from '../../transfer/transfer-dialog';

export function LoadDialog({ close }: { readonly close: () => void }) {
  const [file, setFile] = useState<File>();
  return (
    <TransferDialog
      title="Load images"
      action="Load"
      close={close}
      run={async (show, signal) => {
        if (file === undefined) throw new Error('choose an archive first');
        await runTransfer('/images/load', { content: file, signal }, show);
      }}
    >
      <FileField
        label="Archive of images"
        hint="As saved by this page or by docker save"
        onChange={([one]) => setFile(one)}
      />
    </TransferDialog>
  );
}
