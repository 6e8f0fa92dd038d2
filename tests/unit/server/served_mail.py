"""The training data of the served model."""

MAIL = [
    ("cheap pills, cheap offer", "spam"),
    ("win a cheap prize now", "spam"),
    ("meeting at noon with the team", "ham"),
    ("team lunch at noon 🙂", "ham"),
    ("회의 자료를 보냅니다", "업무"),
    ("다음 회의 자료 검토", "업무"),
    ("اجتماع الفريق غدا", "عمل"),
    ("टीम की बैठक", "काम"),
]
