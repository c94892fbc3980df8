/** Uploaded files: who brought them, how large they are, and a link that works for a while. */
import { UploadOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Upload } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import { attach } from '@/api/nouns/attach';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { sizeText } from '@/lib/size';

function UploadButton() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const client = useQueryClient();
  const [share, setShare] = useState<number>();
  const send = async (file: File) => {
    setShare(0);
    try {
      await api.upload('/blade-resource/oss/endpoint/put-file-attach', file, { progress: setShare });
      message.success(t('kit.done'));
    } catch (refusal) {
      message.error(refusal instanceof Error ? refusal.message : t('kit.error.unknown'));
    } finally {
      setShare(undefined);
      client.invalidateQueries({ queryKey: ['attach'] });
    }
  };
  return (
    <Upload
      showUploadList={false}
      beforeUpload={(file) => {
        send(file);
        return false;
      }}
    >
      <Button type="primary" icon={<UploadOutlined />} loading={share !== undefined}>
        {share === undefined ? t('system.upload') : `${Math.round(share * 100)} %`}
      </Button>
    </Upload>
  );
}

export default function Attachments() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  // The browser saves the file by itself, and sends no header of ours: it is given a ticket.
  const download = async (id: unknown) => {
    try {
      const address = `/api${attach.path}/download?id=${id}`;
      window.location.assign((await api.post('/blade-auth/oauth/ticket', { address })).address);
    } catch (refusal) {
      message.error(refusal instanceof Error ? refusal.message : t('kit.error.unknown'));
    }
  };
  return (
    <NounPage
      noun={attach}
      name="originalName"
      columns={[
        { key: 'originalName', width: 260 },
        { key: 'extension', width: 110 },
        { key: 'attachSize', width: 110 },
        { key: 'createUserName', width: 120 },
        'createTime',
        { key: 'remark', width: 140 },
      ]}
      show={{ attachSize: (row) => sizeText(row.attachSize ?? 0) }}
      filters={['originalName', 'extension', 'createTime']}
      form={['originalName', 'remark']}
      detail={['name', 'extension', 'attachSize', 'createUserName']}
      main={<UploadButton />}
      empty={{ title: t('system.noFiles'), hint: t('system.noFilesHint') }}
      rowActions={(row) => [
        {
          key: 'open',
          label: t('system.open'),
          onClick: () => window.open(String(row.link), '_blank', 'noopener,noreferrer'),
        },
        { key: 'download', label: t('system.download'), onClick: () => download(row.id) },
      ]}
    />
  );
}
