/** Days off and days worked in exchange; with the working hours they are the company's working calendar. */
import { CloudDownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { holiday } from '@/api/nouns/holiday';
import { useLanguage, useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useRights } from '@/session/rights';
import { TakeOver } from './TakeOver';

export default function Holidays() {
  const { t } = useTranslation();
  const language = useLanguage();
  const may = useRights();
  const [open, setOpen] = useState(false);
  const takeOver = (type?: 'primary') =>
    may('holiday_add') && (
      <Button type={type} icon={<CloudDownloadOutlined />} onClick={() => setOpen(true)}>
        {t('system.holiday.takeOver')}
      </Button>
    );
  return (
    <>
      <NounPage
        noun={holiday}
        name="name"
        columns={['day', { key: 'dayTypeName', width: 190 }, { key: 'name', width: 240 }]}
        filters={['day', 'dayType', 'name']}
        form={[{ key: 'day', hint: t('system.holiday.dayHint') }, 'dayType', 'name', 'nameEn']}
        // `title` is the day with its name in the caller's language.
        show={{ name: (row) => (language === 'en-US' && row.nameEn) || row.name }}
        card={(row) => ({ title: row.title, meta: [row.dayTypeName] })}
        called={(row) => row.title}
        removeHint={t('system.holiday.removeHint')}
        actions={() => takeOver()}
        empty={{
          title: t('system.holiday.none'),
          hint: t('system.holiday.noneHint'),
          action: takeOver('primary'),
        }}
      />
      {open && <TakeOver onClose={() => setOpen(false)} />}
    </>
  );
}
