"""From a draft to a version in effect: answers, snapshots, filing, amendments, differences."""
