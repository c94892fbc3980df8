/** Rows from a spreadsheet: template, file, and where it cannot be taken, every fault by its row. What has too many rows
 * to be imported at once goes on in the background. */
import { DownloadOutlined, FileExcelOutlined } from '@ant-design/icons';
import { App, Button, Checkbox, Progress, Table, Upload } from 'antd';
import { useState } from 'react';
import type { Params } from '@/api/calls';
import { ApiError } from '@/api/client';
import type { Noun } from '@/api/noun';
import { importRows, importTemplate } from '@/api/nounCalls';
import { useTranslation } from '@/i18n';
import { save } from '@/lib/save';
import { ImportProgress } from './ImportProgress';
import { Modal } from './overlays';
import { importLater, isForLater } from './sheetJobs';
import { ErrorLine } from './states';
import { useAction } from './useAction';

interface Fault {
  row: number;
  field: string;
  text: string;
}

interface ImportDialogProps {
  noun: Noun;
  title: string;
  /** Sent with the sheet, such as the tenant looked at. */
  params?: Params;
  /** Rows that exist may be changed too. */
  mayChange: boolean;
  invalidates: readonly (readonly unknown[])[];
  /** Gets the server's answer. */
  onDone?: (answer: unknown) => void;
  onClose: () => void;
}

function faultsOf(error: unknown): Fault[] {
  const data = error instanceof ApiError ? (error.data as { errors?: Fault[] } | undefined) : undefined;
  return data?.errors ?? [];
}

export function ImportDialog(props: ImportDialogProps) {
  const { noun, title, params, mayChange, invalidates, onDone, onClose } = props;
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [file, setFile] = useState<File>();
  const [share, setShare] = useState<number>();
  const [change, setChange] = useState(false);
  const [job, setJob] = useState<string>();
  const template = useAction({ run: async () => save(await importTemplate(noun)) });
  const action = useAction({
    invalidates,
    run: async () => {
      if (!file) throw new ApiError(0, t('kit.sheet.chooseFile'));
      setShare(0);
      try {
        const query = { ...params, isCovered: change ? 1 : 0 };
        return await importRows(noun, file, { query, progress: setShare });
      } catch (refusal) {
        if (!isForLater(refusal)) throw refusal;
        setJob((await importLater(noun, file, change, setShare)).id);
        return undefined;
      }
    },
    onDone: (answer) => {
      if (!answer) return;
      message.success(t('kit.sheet.imported', { ...answer }));
      onClose();
      onDone?.(answer);
    },
  });
  const faults = faultsOf(action.error);
  if (job)
    return (
      <Modal
        open
        centered
        title={title}
        onCancel={onClose}
        footer={
          <Button type="primary" onClick={onClose}>
            {t('kit.close')}
          </Button>
        }
      >
        <ImportProgress id={job} invalidates={invalidates} />
      </Modal>
    );
  return (
    <Modal
      open
      centered
      width={faults.length > 0 ? 720 : 520}
      title={title}
      okText={t('kit.sheet.import')}
      okButtonProps={{ disabled: !file }}
      cancelText={t('kit.cancel')}
      confirmLoading={action.busy}
      onOk={() => action.run()}
      onCancel={onClose}
    >
      <ol className="x-sheet">
        <li>
          <p>{t('kit.sheet.first')}</p>
          <Button icon={<DownloadOutlined />} loading={template.busy} onClick={() => template.run()}>
            {t('kit.sheet.template')}
          </Button>
        </li>
        <li>
          <p>{t('kit.sheet.second')}</p>
          <Upload.Dragger
            accept=".xlsx"
            maxCount={1}
            beforeUpload={(chosen) => {
              setFile(chosen);
              action.reset();
              return false;
            }}
            onRemove={() => setFile(undefined)}
          >
            <FileExcelOutlined className="x-sheet-icon" />
            <p>{t('kit.sheet.drop')}</p>
          </Upload.Dragger>
          <p className="x-hint">{t('kit.sheet.hint')}</p>
          {mayChange && (
            <Checkbox checked={change} onChange={(event) => setChange(event.target.checked)}>
              {t('kit.sheet.change')}
            </Checkbox>
          )}
        </li>
      </ol>
      {action.busy && (
        <Progress
          aria-label={t('kit.sheet.progress')}
          percent={Math.round((share ?? 0) * 100)}
          size="small"
          status="active"
          format={(percent) => (percent === 100 ? t('kit.sheet.working') : `${percent}%`)}
          percentPosition={{ align: 'end', type: 'outer' }}
        />
      )}
      <ErrorLine error={action.error ?? template.error} />
      {faults.length > 0 && (
        <Table<Fault>
          size="small"
          rowKey={(fault) => `${fault.row}${fault.field}${fault.text}`}
          dataSource={faults}
          pagination={false}
          scroll={{ y: 280 }}
          columns={[
            { title: t('kit.sheet.row'), dataIndex: 'row', width: 80 },
            { title: t('kit.sheet.field'), dataIndex: 'field', width: 160 },
            { title: t('kit.sheet.fault'), dataIndex: 'text' },
          ]}
        />
      )}
    </Modal>
  );
}
