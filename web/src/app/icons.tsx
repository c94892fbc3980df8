/** The menu's icons, by the name an entry brings as its `source`; an unknown name gets the fallback. */
import {
  AppstoreOutlined,
  AuditOutlined,
  CheckSquareOutlined,
  FileTextOutlined,
  FormOutlined,
  HomeOutlined,
  InboxOutlined,
  PartitionOutlined,
  SendOutlined,
  SettingOutlined,
  ToolOutlined,
} from '@ant-design/icons';
import type { ReactNode } from 'react';

const ICONS: Readonly<Record<string, ReactNode>> = {
  home: <HomeOutlined />,
  flow: <PartitionOutlined />,
  inbox: <PartitionOutlined />,
  claim: <InboxOutlined />,
  todo: <AuditOutlined />,
  done: <CheckSquareOutlined />,
  send: <SendOutlined />,
  equip: <SettingOutlined />,
  machine: <AppstoreOutlined />,
  repair: <ToolOutlined />,
  report: <FormOutlined />,
  order: <FileTextOutlined />,
};

export function menuIcon(source: string): ReactNode {
  return ICONS[source] ?? <FileTextOutlined />;
}
