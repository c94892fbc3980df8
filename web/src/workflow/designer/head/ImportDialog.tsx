/** A drawing from a file in place of this one, after a look at what of it will not run here. */
import { InboxOutlined } from '@ant-design/icons';
import { Alert, Modal, Upload } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { Found, FoundProblems } from '../../Found';
import { type Read, readFile } from '../canvas/importing';
import { type Problem, useDesigner } from '../context';
import type { Saver } from '../saving/Saver';

interface Looked extends Read {
  file: string;
  problems: readonly Problem[];
}

export default function ImportDialog({ saver, onClose }: { saver: Saver; onClose: () => void }) {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  const [looked, setLooked] = useState<Looked>();
  const look = useAction<File>({
    run: async (file) => {
      setLooked(undefined);
      const read = await readFile(drawing, await file.text());
      const { problems } = read.refused
        ? { problems: [] }
        : await api.post('/blade-flow/model/validate', { xml: read.xml });
      setLooked({ ...read, file: file.name, problems });
    },
  });
  const take = useAction({
    run: async () => {
      // What is drawn now stays in the history; else nothing replaces it. A conflict is settled in its own dialog.
      const state = await saver.save();
      if ('error' in state) throw state.error;
      if (state.kind !== 'saved') return;
      await drawing.importXML(looked?.xml ?? '');
      saver.changed();
    },
    onDone: onClose,
  });
  return (
    <Modal
      open
      centered
      width={640}
      title={t('designer.import.title')}
      okText={t('designer.import.take')}
      okButtonProps={{ disabled: !looked || Boolean(looked.refused) }}
      confirmLoading={take.busy || look.busy}
      cancelText={t('kit.cancel')}
      onOk={() => take.run()}
      onCancel={onClose}
    >
      <Upload.Dragger
        accept=".bpmn,.bpmn20.xml,.xml"
        maxCount={1}
        showUploadList={false}
        beforeUpload={(file) => {
          look.run(file);
          return false;
        }}
      >
        <p>
          <InboxOutlined /> {looked?.file ?? t('designer.import.choose')}
        </p>
      </Upload.Dragger>
      <ErrorLine error={look.error ?? take.error} />
      {looked?.refused && <Alert type="error" showIcon title={t(`designer.import.${looked.refused}`)} />}
      {looked && !looked.refused && (
        <div className="x-designer-import">
          {looked.oldKey && <p>{t('designer.import.key', { from: looked.oldKey, to: looked.key })}</p>}
          <FoundProblems xml={looked.xml} problems={looked.problems} />
          <Found
            title={t('designer.import.unknown', { count: looked.unknown.length })}
            lines={looked.unknown}
          />
          <p>{t('designer.import.replaces')}</p>
        </div>
      )}
    </Modal>
  );
}
