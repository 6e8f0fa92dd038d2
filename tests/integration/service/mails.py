"""The mails that the models of these tests begin with."""

MAIL = [
    ("cheap pills, cheap offer", "spam"),
    ("win a cheap prize now", "spam"),
    ("meeting at noon with the team", "ham"),
    ("team lunch at noon 🙂", "ham"),
    ("회의 자료를 보냅니다", "업무"),
]
